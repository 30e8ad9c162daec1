# SPDX-License-Identifier: Apache-2.0
# Inside gdb, for treadle replay --gdb: frames of the runtime are hidden, and the steps of the report can be gone to.
#
# gdb.c writes a line before this that sets SHM (descriptor of the memory shared with the program), HEAD (bytes before
# its rings), STOP_AT and ACTS (where these two fields are), SCRIPT (the descriptor of this script), GOES_ON (a race
# that does not end the run: it is where the last step is) and STEPS (of run_gdb, as hexadecimal).
import os
import re
import struct

import gdb
import gdb.FrameDecorator

RUNTIME = re.compile(r"(^|/)src/runtime/(core|libc|memory|posix|process|symbolic)/[^/]+$")
CRASHES = ("SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGABRT")
# As it was before the program started: the job is in it.
AT_START = os.pread(SHM, HEAD, 0)
os.close(SCRIPT)  # the program is not to have it
for setting in ("set breakpoint pending on", "set disable-randomization on", "set print thread-events off",
                "handle SIGSYS nostop noprint pass"):
    gdb.execute(setting, to_string=True)
# An editor that starts the program may have set others.
WORDS = getattr(gdb.selected_inferior(), "arguments", None)


class Steps:
    """Where the run is, and where it is to stop."""

    def __init__(self):
        lines = bytes.fromhex(STEPS).decode("utf-8", "replace").splitlines()
        self.all = [(int(w[0]), w[1], w[2], int(w[3]), w[4] if len(w) > 4 else "")
                    for w in (line.split("\t", 4) for line in lines)]
        self.now = 0       # number of the step that the run was stopped at, 0: none
        self.wanted = len(self.all) if GOES_ON else 0  # the one it runs to
        self.failed = False

    def stop_at(self, act):
        os.pwrite(SHM, struct.pack("<Q", act), STOP_AT)

    def acts(self):
        return struct.unpack("<Q", os.pread(SHM, 8, ACTS))[0]

    def begin(self):
        """The program is about to be started."""
        self.failed = False
        self.now = 0
        if WORDS is not None:
            gdb.selected_inferior().arguments = WORDS
        os.pwrite(SHM, AT_START, 0)
        if self.wanted > 0:
            self.stop_at(self.all[self.wanted - 1][0])

    def go(self, number):
        if not 1 <= number <= len(self.all):
            raise gdb.GdbError("the report has steps 1 to %d" % len(self.all))
        act = self.all[number - 1][0]
        runs = gdb.selected_inferior().pid != 0
        self.wanted = number
        if runs and self.failed and act == 0:
            arrive()
        elif runs and not self.failed and (act == 0 or self.acts() < act):
            self.stop_at(act)
            gdb.execute("continue")
        else:
            gdb.execute("run")


steps = Steps()


def is_runtime(frame):
    name, symtab = frame.name() or "", frame.find_sal().symtab
    if symtab is not None and RUNTIME.search(symtab.filename):
        return True
    return name.startswith(("__treadle_", "__wrap_main")) or name.startswith("rt_") and symtab is None


def is_hidden(frame):
    """Of the runtime, or without lines: what treadle cc added to the program, or a runtime without them."""
    is_program = gdb.solib_name(frame.pc()) is None and frame.type() != gdb.SIGTRAMP_FRAME
    return is_runtime(frame) or is_program and frame.find_sal().symtab is None


def shown(frames, of=lambda f: f):
    """The frames of the program; if it has no lines, all but those that are known to be the runtime's."""
    every = list(frames)
    return ([f for f in every if not is_hidden(of(f))] or [f for f in every if not is_runtime(of(f))] or every)


def user_frames():
    frames, frame = [], gdb.newest_frame()
    while frame is not None:
        frames.append(frame)
        frame = frame.older()
    return shown(frames)


def user_name(name):
    """As in the source: copies of functions that follow inputs have another name."""
    return re.sub(r"\.symbolic$", "", name or "?")


class Named(gdb.FrameDecorator.FrameDecorator):
    def function(self):
        name = super().function()
        return user_name(name) if isinstance(name, str) else name


class HideRuntime:
    """A frame filter."""

    def __init__(self):
        self.name = "treadle"
        self.priority = 100
        self.enabled = True
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        return iter([Named(f) for f in shown(frames, lambda f: f.inferior_frame())])


class Here(gdb.Breakpoint):
    """A function of the runtime that is called for a debugger."""

    def __init__(self, function):
        super().__init__(function, internal=True)
        self.silent = True


def thread_name(thread):
    return "main" if thread.num == 1 else thread.name


def leave_runtime():
    """Before next and step: out of the function of the runtime that the thread is in. No other thread runs meanwhile."""
    inner, frame = None, gdb.newest_frame()
    while frame is not None and is_hidden(frame):
        inner, frame = frame, frame.older()
    if inner is not None and frame is not None and not steps.failed:
        inner.select()
        gdb.execute("finish", to_string=True)


def print_line(symtab, line):
    print("%d\t%s" % (line, gdb.execute("list %s:%d,%d" % (symtab.filename, line, line), to_string=True)
                      .rstrip("\n").partition("\t")[2]))


def show(step):
    """Selects the frame of the step's statement, else the innermost one of the program, and prints it."""
    frames = [(f, f.find_sal()) for f in user_frames()]
    found = [(f, sal) for f, sal in frames if step and sal.symtab and sal.line == step[3] and
             os.path.basename(sal.symtab.filename) == step[2]]
    frame, sal = (found or frames)[0]
    frame.select()
    if step and not found:
        print("%d\t%s  (its frame is gone: the last call of a function)" % (step[3], step[4]))
    print("#%d  %s () at %s:%d" % (frame.level(), user_name(frame.name()), sal.symtab.filename, sal.line)
          if sal.symtab else "#%d  %s ()" % (frame.level(), user_name(frame.name())))
    if sal.symtab:
        print_line(sal.symtab, sal.line)


def arrive():
    """Says where the run is: at the step that was wanted, or where it fails."""
    step = steps.all[steps.wanted - 1] if steps.wanted > 0 else None
    if steps.failed and step and step[0] > 0:
        step = None
    end = step or (steps.all[-1] if steps.all else None)
    if steps.failed and end and end[0] == 0:
        for thread in gdb.selected_inferior().threads():
            if thread_name(thread) == end[1]:
                thread.switch()
    if step:
        steps.now = steps.wanted
        print("treadle: step %d of %d, %s at %s:%d" % ((steps.now, len(steps.all)) + step[1:4]))
    else:
        print("treadle: the run fails here, in %s" % thread_name(gdb.selected_thread()))
    steps.wanted = 0
    show(step)


def on_stop(event):
    breakpoints = getattr(event, "breakpoints", [])
    crashed = isinstance(event, gdb.SignalEvent) and event.stop_signal in CRASHES
    if crashed or failed in breakpoints or stopped in breakpoints:
        steps.failed = crashed or failed in breakpoints
        steps.stop_at(0)
        arrive()


class Command(gdb.Command):
    def __init__(self, name, call):
        super().__init__(name, gdb.COMMAND_RUNNING)
        self.call = call

    def invoke(self, argument, from_tty):
        self.dont_repeat()
        self.call(argument.strip())


def go_to(argument):
    """treadle-step [N]: to step N of the report, by default the next one."""
    if argument and not argument.isdigit():
        raise gdb.GdbError("treadle-step takes the number of a step")
    steps.go(int(argument) if argument else steps.now + 1)


def go_next(argument):
    """treadle-next: to the next step of the report; from the failure, to the first."""
    steps.go(steps.now + 1)


def print_list(argument):
    """treadle-list: the steps of the report."""
    for number, step in enumerate(steps.all, 1):
        print("%s%3d  %-5s %s:%d  %s" % (("=> " if number == steps.now else "   ", number) + step[1:]))


def print_threads(argument):
    """treadle-threads: where the threads of the program are."""
    if gdb.selected_thread() is None:
        raise gdb.GdbError("the program does not run")
    chosen, frame = gdb.selected_thread(), gdb.selected_frame()
    for thread in sorted(gdb.selected_inferior().threads(), key=lambda t: t.num):
        if thread.name == "parked":
            continue
        thread.switch()
        at = user_frames()[0]
        sal = at.find_sal()
        is_there = sal.symtab is not None and not is_hidden(at)
        where = "%s at %s:%d" % (user_name(at.name()), os.path.basename(sal.symtab.filename), sal.line) if is_there else "-"
        print("%s%-5s %s" % ("* " if thread.num == chosen.num else "  ", thread_name(thread), where))
    chosen.switch()
    frame.select()


for command, function in (("treadle-step", go_to), ("treadle-next", go_next), ("treadle-list", print_list),
                          ("treadle-threads", print_threads)):
    type(command, (Command,), {"__doc__": function.__doc__})(command, function)
gdb.execute("delete")  # the breakpoint for a gdb without Python
failed, stopped = Here("__treadle_failed"), Here("__treadle_stop")
gdb.events.stop.connect(on_stop)
HideRuntime()
gdb.execute("skip -gfi */src/runtime/*/*", to_string=True)
gdb.execute("skip -rfu ^(__treadle_|rt_)", to_string=True)
gdb.execute("set confirm off")
