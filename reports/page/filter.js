// Which tasks and attempts are looked at. Tasks are decided first, so that a pass over the attempts is a few look-ups.

/** Whether each task fits the filters of tasks. */
function fittingTasks(tasks, questions) {
  const fits = new Uint8Array(tasks.ids.length).fill(1);
  const places = (list, names) => new Set([...state[list]].map((name) => names.indexOf(name)));
  const families = places('family', head.families);
  const operations = [...places('op', head.operations)];
  const least = state.min === '' ? -Infinity : Number(state.min);
  const most = state.max === '' ? Infinity : Number(state.max);
  const text = state.text.toLowerCase();
  for (let t = 0; t < fits.length; t++) {
    const bytes = tasks.sizes[t];
    if (families.size && !families.has(tasks.families[t])
      || state.alphabet.size && !state.alphabet.has(tasks.alphabets[t])
      || operations.some((operation) => !tasks.operations[t].includes(operation))
      || bytes < least || bytes > most
      || text && !tasks.lower[t].includes(text) && !(questions && questions[t].includes(text))) {
      fits[t] = 0;
    }
  }
  return fits;
}

/** The attempts that fit, in order. */
function fittingAttempts(attempts, taskFits) {
  const allowed = (list, names) => Uint8Array.from(names, (name) => !state[list].size || state[list].has(name) ? 1 : 0);
  const strategies = allowed('strategy', head.strategies.map((strategy) => strategy.name));
  const statuses = allowed('status', STATUS_NAMES);
  const found = new Uint32Array(attempts.count);
  let count = 0;
  for (let a = 0; a < attempts.count; a++) {
    if (taskFits[attempts.task[a]] && strategies[attempts.strategy[a]] && statuses[attempts.status[a]]) {
      found[count++] = a;
    }
  }
  return found.subarray(0, count);
}

/** A list of values to choose some of: closed it says which are chosen. */
function chooser(list, title, names, redo) {
  const boxes = [];
  const found = element('p', { class: 'none', hidden: true }, 'nothing has this name');
  const items = names.map((name) => {
    const box = element('input', { type: 'checkbox', value: name });
    box.addEventListener('change', () => {
      state[list][box.checked ? 'add' : 'delete'](name);
      say();
      redo();
    });
    boxes.push(box);
    return element('label', {}, box, ' ' + name);
  });
  const search = element('input', { type: 'search', placeholder: 'find', 'aria-label': 'Find in: ' + title });
  search.addEventListener('input', () => {
    let any = false;
    names.forEach((name, place) => {
      items[place].hidden = !name.toLowerCase().includes(search.value.toLowerCase());
      any ||= !items[place].hidden;
    });
    found.hidden = any;
  });
  const clear = element('button', { type: 'button' }, 'all');
  clear.addEventListener('click', () => {
    state[list].clear();
    say();
    redo();
  });
  const value = element('b');
  const summary = element('summary', {}, title + ': ', value);
  const made = element('details', { class: 'chooser', 'data-list': list }, summary,
    element('div', { class: 'menu' }, names.length > 8 ? search : null, clear, ...items, found));
  // One menu at a time; Escape closes it.
  made.addEventListener('toggle', () => {
    if (!made.open) return;
    for (const other of document.querySelectorAll('details.chooser[open]')) if (other !== made) other.open = false;
  });
  made.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && made.open) {
      made.open = false;
      summary.focus();
      event.stopPropagation();
    }
  });
  /** Shows the state. */
  function say() {
    const chosen = names.filter((name) => state[list].has(name));
    boxes.forEach((box) => { box.checked = state[list].has(box.value); });
    value.textContent = chosen.length === 0 ? 'all' : chosen.length === 1 ? chosen[0] : chosen.length + ' of ' + names.length;
    made.classList.toggle('active', chosen.length > 0);
  }
  made.say = say;
  return made;
}
