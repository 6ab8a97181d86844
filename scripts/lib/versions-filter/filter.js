// The filter of docs/reference/versions.html: shows the rows that match the form, and keeps the form in the address.
(() => {
  const { published, kinds, rows } = JSON.parse(document.getElementById('data').textContent);
  const form = document.querySelector('form');
  const { q, kind, cli, show } = form.elements;
  for (const name of kinds) kind.add(new Option(name));
  for (const version of published.toReversed()) cli.add(new Option(version));

  const drawn = rows.map((row) => ({ ...row, text: textOf(row), element: draw(row) }));
  document.querySelector('tbody').append(...drawn.map(({ element }) => element));
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('input', () => {
    const given = [...new FormData(form)].filter(([, value]) => value !== '');
    history.replaceState(null, '', `#${new URLSearchParams(given)}`);
    filter();
  });
  addEventListener('hashchange', readAddress);
  readAddress();

  function readAddress() {
    const given = new URLSearchParams(location.hash.slice(1));
    for (const field of [q, kind, cli, show]) field.value = given.get(field.name) ?? '';
    filter();
  }

  function filter() {
    const words = q.value.toLowerCase().split(/\s+/);
    const at = published.indexOf(cli.value);
    show.disabled = at === -1;
    let count = 0;
    for (const { element, text, kind: ofRow, ranges } of drawn) {
      const has = ranges.some(([from, to]) => from <= at && at < to);
      const fits =
        words.every((word) => text.includes(word)) &&
        (kind.value === '' || kind.value === ofRow) &&
        (at === -1 || show.value === '' || (show.value === 'has') === has);
      element.hidden = !fits;
      element.firstChild.dataset.has = at === -1 ? '' : has ? '✓ ' : '✗ ';
      if (fits) count += 1;
    }
    document.querySelector('[role=status]').textContent = `${count} of ${rows.length}`;
  }

  function textOf({ kind: ofRow, name, words, versions }) {
    return `${ofRow} ${name} ${words} ${versions}`.toLowerCase();
  }

  function draw({ kind: ofRow, name, words, versions, detail }) {
    const row = document.createElement('tr');
    const [what, when, how] = [0, 1, 2].map(() => row.insertCell());
    what.append(...(words === '' ? [] : [words, ' ']), code(name), ' ', small(ofRow));
    when.append(versions);
    how.append(code(detail));
    return row;
  }

  function code(text) {
    return Object.assign(document.createElement('code'), { textContent: text });
  }

  function small(text) {
    return Object.assign(document.createElement('small'), { textContent: text });
  }
})();
