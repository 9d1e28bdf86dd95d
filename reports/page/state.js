// What is looked at: filters, sorting, plots, the open task. It is in the address behind '#', so that a view can be sent.

const LISTS = ['family', 'strategy', 'status', 'alphabet', 'op'];
const SCALARS = {
  min: '', max: '', text: '', measure: 'solve', cell: 'solved', sort: 'task', down: '', extra: '', x: '', y: '', task: '',
};

const state = { ...SCALARS };
for (const list of LISTS) state[list] = new Set();

function escaped(text) {
  return encodeURIComponent(text).replace(/%2F/g, '/').replace(/%3A/g, ':');
}

/** The address of what is looked at: what is as it was when the page was opened is not in it. */
function address() {
  const parts = [];
  for (const list of LISTS) {
    if (state[list].size) parts.push(list + '=' + [...state[list]].map(escaped).join(','));
  }
  for (const [name, usual] of Object.entries(SCALARS)) {
    if (state[name] !== usual) parts.push(name + '=' + escaped(state[name]));
  }
  return '#' + parts.join('&');
}

/** Takes the state from the address; what it does not know is passed over. */
function readAddress() {
  Object.assign(state, SCALARS);
  for (const list of LISTS) state[list] = new Set();
  for (const part of location.hash.slice(1).split('&')) {
    const cut = part.indexOf('=');
    if (cut < 0) continue;
    const [name, value] = [part.slice(0, cut), part.slice(cut + 1)];
    try {
      if (LISTS.includes(name)) state[name] = new Set(value.split(',').map(decodeURIComponent).filter((v) => v !== ''));
      else if (name in SCALARS) state[name] = decodeURIComponent(value);
    } catch {
      // An address that was cut in the middle of a letter.
    }
  }
  if (!(state.measure in MEASURES)) state.measure = SCALARS.measure;
}

/** Writes the state into the address. An open task is a step that 'back' takes back; a filter is none. */
function writeAddress(isStep) {
  const now = address();
  if (now === location.hash || (now === '#' && location.hash === '')) return;
  // Without a hash the address must stay that of the file.
  const url = now === '#' ? location.pathname + location.search : now;
  history[isStep ? 'pushState' : 'replaceState'](null, '', url);
}
