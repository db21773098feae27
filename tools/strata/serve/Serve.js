// The page of `strata serve`: reads the editor, asks the server for one view, and shows it.
"use strict";

const $ = id => document.getElementById(id);

// What can be shown: the server's name for it, and the tab's.
const VIEWS = [
  ["plan", "Plan"], ["compare", "Compare"], ["loops", "Loops"], ["graph", "Graph"], ["lattice", "Lattice"],
  ["formats", "Formats"], ["c", "C"], ["assembly", "Assembly"], ["time", "Time"], ["spy", "Spy"], ["cin", "cin"],
];

const KEYS = [
  ["Ctrl + Enter", "show it again"],
  ["Alt + 1 … 9, 0", "the tabs, from left to right"],
  ["Alt + S", "to the statement"],
  ["Alt + L", "copy a link to what is shown"],
  ["?", "these keys"],
];

const EXAMPLES = [
  ["SpMV, by rows", {s: "y(i) = A(i,j) * x(j)", f: {A: "CSR"}}],
  ["SpMV, by columns", {s: "y(i) = A(i,j) * x(j)", f: {A: "CSC"}}],
  ["SpMM", {s: "C(i,k) = A(i,j) * B(j,k)", f: {A: "CSR"}, n: {k: "32"}}],
  ["SDDMM", {s: "Y(i,j) = S(i,j) * U(i,k) * V(j,k)", f: {Y: "CSR", S: "CSR"}, n: {k: "32"}}],
  ["SpGEMM", {s: "C(i,j) = A(i,k) * B(k,j)", f: {C: "CSR", A: "CSR", B: "CSR"}}],
  ["MTTKRP", {s: "A(i,l) = B(i,j,k) * C(j,l) * D(k,l)", f: {B: "CSF"},
    n: {i: "200", j: "200", k: "200", l: "16"}, d: {B: "s:0.001"}}],
  ["A + B", {s: "C(i,j) = A(i,j) + B(i,j)", f: {C: "CSR", A: "CSR", B: "CSR"}, v: "lattice"}],
  ["A + B * C", {s: "D(i,j) = A(i,j) + B(i,j) * C(i,j)", f: {D: "CSR", A: "CSR", B: "CSR", C: "CSR"}, v: "lattice"}],
  ["Three sparse vectors", {s: "y(i) = a(i) + b(i) + c(i)", v: "lattice",
    f: {y: "SparseVector", a: "SparseVector", b: "SparseVector", c: "SparseVector"}}],
];

// By the order of a tensor; any other format may be written as well.
const FORMATS = {
  1: ["Dense", "SparseVector", "COO"],
  2: ["Dense", "CSR", "CSC", "DCSR", "DCSC", "COO", "BCSR:4x4", "DIA", "ELL", "HYB"],
  3: ["Dense", "CSF", "COO"],
};
const FUNCTIONS = new Set(("abs acos acosh asin asinh atan atan2 atanh ceil conj cos cosh exp expm1 floor imag log "
  + "log10 log1p log2 max min mod pow prod real round sign sin sinh sqrt sum select tan tanh trunc").split(" "));

// What is edited. f: formats, t: types, n: sizes of labels, d: data of tensors, v: the view.
let state = {s: "", f: {}, n: {}, d: {}, c: "", v: "plan"};
let tensors = new Map();
let asked = 0;
let timer = 0;
const answers = new Map();

// ---- What a statement has ----

// The tensors, each with how many coordinates it has, and the labels between their brackets.
function readStatement(text) {
  const found = new Map(), labels = new Set();
  const code = text.replace(/#.*$/gm, "").replace(/schedule\s*\{[^}]*\}/g, "");
  for (const match of code.matchAll(/([A-Za-z_]\w*)\s*(?:<[^<>]*>\s*)?[([]/g)) {
    const name = match[1];
    if (FUNCTIONS.has(name.toLowerCase()))
      continue;
    let depth = 1, commas = 0, at = match.index + match[0].length;
    const begin = at;
    for (; at < code.length && depth > 0; ++at) {
      if ("([".includes(code[at])) ++depth;
      else if (")]".includes(code[at])) --depth;
      else if (code[at] === "," && depth === 1) ++commas;
    }
    const inner = code.slice(begin, depth ? at : at - 1);
    found.set(name, Math.max(found.get(name) ?? 0, inner.trim() ? commas + 1 : 0));
    for (const label of inner.matchAll(/[A-Za-z_]\w*(?!\w*\s*[([])/g))
      labels.add(label[0]);
  }
  const result = /^\s*([A-Za-z_]\w*)/.exec(code);
  return {tensors: found, labels: [...labels].filter(label => !found.has(label)), result: result ? result[1] : ""};
}

const isSparse = format => format !== "" && !/^(dense|d+)$/i.test(format);

// The data of an operand where none is written.
function usualData(name) {
  return isSparse(state.f[name] ?? "") ? "s:0.01" : "d";
}

const sizeOf = label => state.n[label] ?? "1000";

// ---- The editor ----

function input(value, placeholder, label, list, changed) {
  const field = document.createElement("input");
  field.value = value;
  field.placeholder = placeholder;
  field.spellcheck = false;
  field.setAttribute("aria-label", label);
  if (list)
    field.setAttribute("list", list);
  field.addEventListener("input", () => changed(field.value.trim()));
  return field;
}

function cell(...content) {
  const td = document.createElement("td");
  td.append(...content);
  return td;
}

function setOrDrop(texts, name, value) {
  if (value)
    texts[name] = value;
  else
    delete texts[name];
  edited();
}

function showTensors() {
  const read = readStatement(state.s);
  const before = JSON.stringify([...tensors].concat(read.labels));
  tensors = read.tensors;
  const now = JSON.stringify([...tensors].concat(read.labels));
  if (before === now && $("tensors").dataset.of === now)
    return;
  $("tensors").dataset.of = now;
  $("tensors").replaceChildren(...[...tensors].map(([name, order]) => {
    const row = document.createElement("tr");
    const code = document.createElement("code");
    code.textContent = name;
    const format = input(state.f[name] ?? "", "Dense", "format of " + name, "formats",
      value => setOrDrop(state.f, name, value));
    format.addEventListener("focus", () => fillList("formats", FORMATS[order] ?? ["Dense", "COO", "CSF"]));
    format.disabled = order === 0;
    const data = name === read.result ? "" : input(state.d[name] ?? "", usualData(name), "data of " + name,
      "sources", value => setOrDrop(state.d, name, value));
    row.append(cell(code), cell(format), cell(data));
    return row;
  }));
  $("sizes").replaceChildren(...read.labels.map(name => {
    const label = document.createElement("label");
    const code = document.createElement("code");
    code.textContent = name;
    label.append(code, input(state.n[name] ?? "", "1000", "size of " + name, "",
      value => setOrDrop(state.n, name, value)));
    return label;
  }));
}

function fillList(id, values) {
  $(id).replaceChildren(...values.map(value => {
    const option = document.createElement("option");
    option.value = value;
    return option;
  }));
}

// Writes the state into all fields.
function showState() {
  $("statement").value = state.s;
  $("schedule").value = state.c;
  $("tensors").dataset.of = "";
  showTensors();
  for (const tab of $("tabs").children) {
    const selected = tab.dataset.view === state.v;
    tab.setAttribute("aria-selected", selected);
    tab.tabIndex = selected ? 0 : -1;
  }
}

// ---- Links ----

function toHash() {
  const parts = new URLSearchParams();
  parts.set("s", state.s);
  for (const key of ["f", "n", "d"])
    for (const [name, value] of Object.entries(state[key]))
      if (value)
        parts.append(key, name + ":" + value);
  if (state.c)
    parts.set("c", state.c);
  parts.set("v", state.v);
  return "#" + parts;
}

function fromHash(hash) {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  if (!parts.has("s"))
    return null;
  const read = {s: parts.get("s"), f: {}, n: {}, d: {}, c: parts.get("c") ?? "", v: parts.get("v") ?? "plan"};
  for (const key of ["f", "n", "d"])
    for (const pair of parts.getAll(key)) {
      const at = pair.indexOf(":");
      if (at > 0)
        read[key][pair.slice(0, at)] = pair.slice(at + 1);
    }
  if (!VIEWS.some(([name]) => name === read.v))
    read.v = "plan";
  return read;
}

// ---- Requests ----

function request() {
  const read = readStatement(state.s), formats = {}, data = {}, files = {}, sizes = {};
  for (const name of read.tensors.keys()) {
    if (state.f[name])
      formats[name] = state.f[name];
    if (name === read.result)
      continue;
    const source = state.d[name] || usualData(name);
    if (source.startsWith("file:"))
      files[name] = source.slice(5);
    else
      data[name] = source;
  }
  for (const label of read.labels)
    sizes[label] = sizeOf(label);
  for (const name of Object.keys(files)) // whose sizes the file says
    for (const label of labelsOf(name))
      delete sizes[label];
  return {view: state.v, statement: state.s, schedule: state.c, formats, data, files, sizes};
}

// The labels that stand alone as a coordinate of a tensor.
function labelsOf(name) {
  const labels = [];
  for (const match of state.s.matchAll(new RegExp("\\b" + name + "\\s*[([]([^()\\[\\]]*)", "g")))
    labels.push(...match[1].split(",").map(text => text.trim()));
  return labels;
}

async function ask(body, signal) {
  const response = await fetch("/view", {
    method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body), signal});
  if (!response.ok)
    return {ok: false, messages: [], log: await response.text()};
  return response.json();
}

let running = null;
let shownView = "";

async function show(again = false) {
  clearTimeout(timer);
  const number = ++asked, body = request(), key = JSON.stringify(body);
  running?.abort();
  running = new AbortController();
  const link = toHash();
  if (location.hash !== link)
    history.replaceState(null, "", link);
  let answer = again ? undefined : answers.get(key);
  if (!answer) {
    $("result").classList.add("old");
    $("status").textContent = "…";
    try {
      answer = await ask(body, running.signal);
    } catch (error) {
      if (error.name === "AbortError")
        return;
      answer = {ok: false, messages: [], log: "the server does not answer: has it been ended?", lost: true};
    }
    if (number !== asked)
      return;
    if (!answer.lost && body.view !== "time") {
      answers.set(key, answer);
      if (answers.size > 60)
        answers.delete(answers.keys().next().value);
    }
  }
  present(answer, body.view);
}

function present(answer, view) {
  const result = $("result");
  result.classList.toggle("old", !answer.ok);
  if (answer.ok) {
    // The server has escaped all that comes from the statement.
    result.innerHTML = answer.html || "<p class='soft'>There is nothing to show.</p>";
    result.dataset.view = view;
  } else if (result.dataset.view !== view) {
    result.innerHTML = "<p class='soft'>Nothing is shown: the message beside the statement says why.</p>";
    result.dataset.view = "";
  }
  // Code is shown from its first loop on.
  if (answer.ok && (view === "c" || view === "assembly"))
    result.querySelector(".d1")?.scrollIntoView({block: "center"});
  else if (answer.ok && shownView !== view)
    result.scrollTop = 0;
  shownView = view;
  $("status").textContent = answer.milliseconds === undefined ? "" : answer.milliseconds + " ms";
  const log = document.createElement("pre");
  log.textContent = (answer.log ?? "").trim();
  log.className = answer.ok ? "notes" : "errors";
  $("messages").replaceChildren(...log.textContent ? [log] : []);
  mark("statement", "marks", answer);
  mark("schedule", "schedule-marks", answer);
}

// Underlines the word at each message about a text.
function mark(source, id, answer) {
  const text = $(source).value, lines = text.split("\n"), marks = $(id);
  marks.replaceChildren();
  let shown = 0;
  for (const message of answer.messages ?? []) {
    if (message.source !== source || message.line < 1)
      continue;
    const before = lines.slice(0, message.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
    const begin = Math.min(before + message.column - 1, text.length);
    const word = /^\w+|^./s.exec(text.slice(begin))?.[0] ?? "";
    if (begin < shown)
      continue;
    const place = document.createElement("mark");
    place.textContent = word || " ";
    marks.append(text.slice(shown, begin), place);
    shown = begin + word.length;
  }
  marks.append(text.slice(shown));
  marks.scrollTop = $(source).scrollTop;
}

// Shows it when nothing was typed for a while.
function edited() {
  state.s = $("statement").value;
  state.c = $("schedule").value;
  showTensors();
  clearTimeout(timer);
  timer = setTimeout(() => show(), state.v === "time" ? 900 : 300);
}

// ---- Actions ----

function choose(view) {
  state.v = view;
  showState();
  show();
}

function takeExample(number) {
  const [, example] = EXAMPLES[number];
  state = {s: example.s, f: {...example.f}, n: {...example.n}, d: {...example.d}, c: "", v: example.v ?? state.v};
  showState();
  show();
}

async function copyLink() {
  history.replaceState(null, "", toHash());
  try {
    await navigator.clipboard.writeText(location.href);
    $("status").textContent = "The link is copied.";
  } catch {
    $("status").textContent = "The link is in the address bar.";
  }
}

function onKey(event) {
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    show(true);
  } else if (event.altKey && /^[0-9]$/.test(event.key)) {
    choose(VIEWS[event.key === "0" ? 9 : event.key - 1][0]);
  } else if (event.altKey && event.key.toLowerCase() === "s") {
    $("statement").focus();
  } else if (event.altKey && event.key.toLowerCase() === "l") {
    copyLink();
  } else if (event.key === "?" && !typing) {
    $("keys").showModal();
  } else if (event.target.role === "tab" && /^Arrow(Left|Right)$/.test(event.key)) {
    const at = VIEWS.findIndex(([name]) => name === state.v) + (event.key === "ArrowLeft" ? -1 : 1);
    choose(VIEWS[(at + VIEWS.length) % VIEWS.length][0]);
    document.querySelector(".tabs [aria-selected=true]").focus();
  } else {
    return;
  }
  event.preventDefault();
}

function begin() {
  for (const [number, [name]] of EXAMPLES.entries())
    $("example").append(new Option(name, number));
  for (const [view, name] of VIEWS) {
    const tab = document.createElement("button");
    tab.type = "button";
    tab.role = "tab";
    tab.id = "tab-" + view;
    tab.dataset.view = view;
    tab.textContent = name;
    tab.addEventListener("click", () => choose(view));
    $("tabs").append(tab);
  }
  for (const [keys, what] of KEYS) {
    const dt = document.createElement("dt"), dd = document.createElement("dd");
    dt.textContent = keys;
    dd.textContent = what;
    $("key-list").append(dt, dd);
  }
  fillList("sources", ["d", "s:0.01", "s:0.001", "o"]);
  $("example").addEventListener("change", event => {
    if (event.target.value !== "")
      takeExample(Number(event.target.value));
    event.target.value = "";
  });
  for (const id of ["statement", "schedule"]) {
    $(id).addEventListener("input", edited);
    $(id).addEventListener("scroll", event => {
      $(id === "statement" ? "marks" : "schedule-marks").scrollTop = event.target.scrollTop;
    });
  }
  $("editor").addEventListener("submit", event => { event.preventDefault(); show(true); });
  $("copy").addEventListener("click", copyLink);
  $("help").addEventListener("click", () => $("keys").showModal());
  $("close").addEventListener("click", () => $("keys").close());
  document.addEventListener("keydown", onKey);
  addEventListener("hashchange", () => {
    const read = fromHash(location.hash);
    if (read && location.hash !== toHash()) {
      state = read;
      showState();
      show();
    }
  });
  const linked = fromHash(location.hash);
  if (linked) {
    state = linked;
    showState();
    show();
  } else {
    takeExample(0);
  }
  ask({view: "files"}).then(answer => fillList("sources",
    ["d", "s:0.01", "s:0.001", "o", ...(answer.files ?? []).map(name => "file:" + name)])).catch(() => {});
}

begin();
