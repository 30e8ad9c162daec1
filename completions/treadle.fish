# SPDX-License-Identifier: Apache-2.0
# fish completion for treadle. Options come from `treadle COMMAND --help-all`; findings from the newest session.

function __treadle_command
    set -l words (commandline -opc)
    test (count $words) -gt 1; and echo $words[2]
end

function __treadle_is
    contains -- (__treadle_command) $argv
end

function __treadle_options
    treadle (__treadle_command) --help-all 2>/dev/null | string replace -rf '^ +(?:-., )?(--[a-z-]+)(=\S*)?  +(.*)$' '$1\t$3'
end

function __treadle_findings
    set -l dir treadle-out
    set -q TREADLE_OUT; and set dir $TREADLE_OUT
    for file in $dir/latest/*.treadle $dir/latest/*/*.treadle
        string replace -r '.*/(.*)\.treadle$' '$1' $file
    end
end

set -l commands cc c++ run replay show check test minimize weaken fix report top worker farm doctor svcomp mcp fuzz help
complete -c treadle -n "not __treadle_is $commands" -f
complete -c treadle -n "not __treadle_is $commands" -a cc -d "compile and link like cc"
complete -c treadle -n "not __treadle_is $commands" -a c++ -d "the same for C++; also as treadle-c++"
complete -c treadle -n "not __treadle_is $commands" -a run -d "explore the schedules of a program"
complete -c treadle -n "not __treadle_is $commands" -a replay -d "replay a finding"
complete -c treadle -n "not __treadle_is $commands" -a show -d "print the report of a finding again"
complete -c treadle -n "not __treadle_is $commands" -a test -d "explore all harnesses in a directory or manifest"
complete -c treadle -n "not __treadle_is $commands" -a minimize -d "create a small regression suite from recorded runs"
complete -c treadle -n "not __treadle_is $commands" -a check -d "build a project and explore its own tests"
complete -c treadle -n "not __treadle_is $commands" -a fix -d "search for a change with which a finding is gone"
complete -c treadle -n "not __treadle_is $commands" -a weaken -d "find memory orders that are stronger than a program needs"
complete -c treadle -n "not __treadle_is $commands" -a report -d "print a session, or export it in another format"
complete -c treadle -n "not __treadle_is $commands" -a top -d "watch the workers of a session or a farm"
complete -c treadle -n "not __treadle_is $commands" -a worker -d "join a campaign started by treadle run --farm"
complete -c treadle -n "not __treadle_is $commands" -a farm -d "set up a PostgreSQL database as a farm"
complete -c treadle -n "not __treadle_is $commands" -a doctor -d "check this machine and a program"
complete -c treadle -n "not __treadle_is $commands" -a svcomp -d "decide a task of the competition SV-COMP"
complete -c treadle -n "not __treadle_is $commands" -a mcp -d "tools for assistants, by the Model Context Protocol"
complete -c treadle -n "not __treadle_is $commands" -a fuzz -d "explore the schedules of a fuzz target, input by input"
complete -c treadle -n "not __treadle_is $commands" -a help -d "print the help of a command"
complete -c treadle -n "__treadle_is run replay show check test minimize weaken fix report top worker farm doctor svcomp mcp fuzz; and string match -q -- '-*' (commandline -ct)" -f -a "(__treadle_options)"
complete -c treadle -n "__treadle_is replay show" -a "(__treadle_findings)"
complete -c treadle -n "__treadle_is farm" -f -a init
