// Reads the events of POST /api/ask and puts them on the page. All text from outside goes into
// text nodes inside <bdi>, so that it can neither be markup nor turn around the words beside it.

const form = document.getElementById("form");
const field = document.getElementById("question");
const send = document.getElementById("send");
const stop = document.getElementById("stop");
const history = [];
let running = null;

form.addEventListener("submit", (submitted) => {
  submitted.preventDefault();
  const question = field.value.trim();
  if (question && !running) ask(question);
});
stop.addEventListener("click", () => running?.abort());

async function ask(question) {
  running = new AbortController();
  const turn = new Turn(question);
  field.value = "";
  send.hidden = true;
  stop.hidden = false;
  try {
    const response = await fetch("/api/ask", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ question, history: history.slice(-20) }),
      signal: running.signal,
    });
    if (!response.ok) throw new Error(`status ${response.status}`);
    for await (const { name, data } of events(response.body)) turn.take(name, JSON.parse(data));
    turn.end();
  } catch (error) {
    turn.say(error.name === "AbortError" ? "Stopped." : "The connection was lost.");
  } finally {
    history.push(`user: ${question}`, ...turn.said());
    running = null;
    send.hidden = false;
    stop.hidden = true;
    field.focus();
  }
}

// The events of a body of the type text/event-stream; our server ends lines with a line feed.
async function* events(body) {
  let text = "";
  for await (const piece of chunks(body.pipeThrough(new TextDecoderStream()))) {
    const blocks = (text + piece).split("\n\n");
    text = blocks.pop();
    for (const block of blocks) {
      const event = { name: "message", data: [] };
      for (const line of block.split("\n")) {
        const [, key, value] = /^([^:]*):? ?(.*)$/s.exec(line);
        if (key === "event") event.name = value;
        if (key === "data") event.data.push(value);
      }
      if (event.data.length) yield { name: event.name, data: event.data.join("\n") };
    }
  }
}

async function* chunks(stream) {
  const reader = stream.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
}

class Turn {
  constructor(question) {
    const made = document.getElementById("turn").content.cloneNode(true);
    this.root = made.querySelector(".turn");
    this.root.querySelector(".question").append(foreign(question));
    this.statements = this.root.querySelector(".statements");
    this.sources = this.root.querySelector(".sources");
    this.ended = false;
    document.getElementById("turns").append(made);
    this.say("Looking for passages …");
  }

  say(words) {
    this.root.querySelector(".state").textContent = words;
  }

  said() {
    const texts = [...this.statements.querySelectorAll("bdi")].map((node) => node.textContent);
    return texts.length ? [`assistant: ${texts.join(" ")}`] : [];
  }

  take(name, data) {
    if (name === "passages") this.passages(data.passages);
    if (name === "statement") this.statement(data);
    if (name === "done") this.done(data);
    if (name === "failed") this.failed(data);
  }

  passages(passages) {
    const box = this.root.querySelector(".passages");
    box.querySelector("summary").textContent = `${passages.length} passages found`;
    for (const passage of passages) {
      const item = document.createElement("li");
      const text = document.createElement("p");
      text.append(foreign(passage.text + (passage.cut ? " …" : "")));
      item.append(titled(passage), text);
      box.querySelector("ul").append(item);
    }
    box.hidden = false;
    box.open = true; // until there is something better to read
    this.say("Checking the answer against the passages …");
  }

  statement(data) {
    const item = document.createElement("li");
    item.dataset.number = data.number;
    item.value = data.number;
    item.append(foreign(data.text));
    for (const number of new Set(data.citations.map((citation) => citation.source))) {
      item.append(` [${number}]`);
    }
    if (!data.verified) item.append(" (not checked)");
    this.statements.append(item);
    this.root.querySelector(".passages").open = false;
    for (const source of data.sources) this.source(source);
  }

  source(source) {
    let item = this.sources.querySelector(`[data-number="${source.number}"]`);
    if (!item) {
      item = document.createElement("li");
      item.dataset.number = source.number;
      item.value = source.number;
      item.append(titled(source));
      this.sources.append(item);
      this.sources.hidden = false;
    }
    for (const { quote } of source.quotes) {
      if ([...item.querySelectorAll("q")].some((node) => node.textContent === quote)) continue;
      const quoted = document.createElement("q");
      quoted.append(foreign(quote));
      item.append(quoted);
    }
  }

  done(data) {
    this.ended = true;
    for (const source of data.statements.length ? [] : data.sources) this.source(source);
    this.say(data.message || `${data.verified} of ${data.shown} statements verified.`);
  }

  failed(data) {
    this.ended = true;
    for (const source of data.sources) this.source(source);
    this.say(data.message);
  }

  end() {
    if (!this.ended) this.say("The connection was lost.");
  }
}

function foreign(text) {
  const node = document.createElement("bdi");
  node.textContent = text;
  return node;
}

function titled(source) {
  const title = foreign(source.title || "Untitled source");
  if (!source.url) return title;
  const link = document.createElement("a");
  link.href = source.url; // http or https: the server sends no other
  link.rel = "noopener noreferrer";
  link.append(title);
  return link;
}
