/* SPDX-License-Identifier: Apache-2.0 */
/* The page of one finding. */
{
    const page = decodeFinding(JSON.parse(document.getElementById('data').textContent));
    const view = new FindingView(page, {directory: ''});
    document.getElementById('app').append(topBar(el('span', {class: 'muted'}, 'finding')), el('main', {id: 'main', tabindex: '-1'}, view.root));
    view.start();
}
