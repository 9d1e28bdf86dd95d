// Numbers as people read them, and elements of the page. Text is set as text: nothing here reads markup.

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (key === 'class') made.className = value;
    else made.setAttribute(key, value === true ? '' : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

function byId(id) {
  return document.getElementById(id);
}

/** Three significant digits. */
function digits(value) {
  return value >= 99.95 ? value.toFixed(0) : value >= 9.995 ? value.toFixed(1) : value.toFixed(2);
}

function duration(seconds) {
  if (!Number.isFinite(seconds)) return '';
  if (seconds >= 1) return digits(seconds) + ' s';
  if (seconds >= 1e-3) return digits(seconds * 1e3) + ' ms';
  if (seconds >= 1e-6) return digits(seconds * 1e6) + ' µs';
  return digits(seconds * 1e9) + ' ns';
}

function size(bytes) {
  if (!Number.isFinite(bytes)) return '';
  if (bytes >= 2 ** 30) return digits(bytes / 2 ** 30) + ' GiB';
  if (bytes >= 2 ** 20) return digits(bytes / 2 ** 20) + ' MiB';
  if (bytes >= 2 ** 10) return digits(bytes / 2 ** 10) + ' KiB';
  return bytes + ' B';
}

/** A value of a measure. */
function shown(value, measure) {
  return measure === 'memory' ? size(value) : duration(value);
}

/** A number with its digits in groups. */
function grouped(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',');
}

function counted(number, one, many) {
  return grouped(number) + ' ' + (number === 1 ? one : many);
}

function percent(share) {
  return Number.isFinite(share) ? (share * 100).toFixed(share > 0.995 && share < 1 ? 1 : 0) + ' %' : '';
}

/** A factor: how much of the other run's time. */
function factor(ratio) {
  return Number.isFinite(ratio) ? ratio.toFixed(ratio < 9.995 ? 2 : ratio < 99.95 ? 1 : 0) + ' ×' : '';
}

/** A word for a shell. */
function quoted(word) {
  return /^[A-Za-z0-9_.,:@%+=/-]+$/.test(word) ? word : "'" + word.replace(/'/g, "'\\''") + "'";
}
