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
    this.words(item, data);
    this.statements.append(item);
    this.root.querySelector(".passages").open = false;
    for (const source of data.sources) this.source(source);
  }

  words(item, data) {
    const numbers = new Set(data.citations.map((citation) => citation.source));
    const marks = [...numbers].map((number) => ` [${number}]`).join("");
    item.dataset.cited = data.citations.length;
    item.replaceChildren(foreign(data.text), marks, data.verified ? "" : " (not checked)");
  }

  // What was revoked while the answer was under way is gone; all else keeps its number.
  keep(list, held) {
    const byNumber = new Map(held.map((one) => [String(one.number), one]));
    for (const item of [...list.children]) {
      const data = byNumber.get(item.dataset.number);
      if (!data) item.remove();
      else if (data.citations && data.citations.length !== Number(item.dataset.cited)) {
        this.words(item, data);
      }
    }
    list.hidden = list === this.sources && !list.children.length;
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
    this.keep(this.statements, data.statements);
    this.keep(this.sources, data.sources);
    for (const source of data.statements.length ? [] : data.sources) this.source(source);
    this.say(data.message || scored(data));
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

function scored({ verified, shown }) {
  return `${verified} of ${shown} ${shown === 1 ? "statement" : "statements"} verified.`;
}

function foreign(text) {
  const node = document.createElement("bdi");
  node.textContent = unhidden(text);
  return node;
}

// Sources come with their own characters, so that offsets count. Shown are none that no reader
// sees and that turn or hide what one does: marks of direction would make 12.5 look like 5.12.
// Joiners and selectors stay after what can take them.
function unhidden(text) {
  return text
    .replace(/(?<=[\p{L}\p{N}])[\u00ad\u0002\ufffe]+(?=\s[\p{L}\p{N}])|[\u00ad\u0002\ufffe]+(?=\s?\p{Nd})/gu, "-")
    .replace(/(?![\u200c\u200d\ufe00-\ufe0f])[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/gu, "")
    .replace(/(?![\t\n\r])[\p{Cc}\ufff9-\ufffb\ufffe\uffff]/gu, "")
    .replace(/(?<![^\x00-\x7f\s\u200c\u200d])[\u200c\u200d]+/gu, "")
    .replace(/(?<![\p{Script=Arabic}\p{M}\u0640])\u0640+/gu, ""); // stretches Arabic, and turns
}

function titled(source) {
  const seen = /[\p{L}\p{N}\p{P}\p{S}]/u.test(unhidden(source.title || "").replace(/\u2800/g, ""));
  const title = foreign(seen ? source.title : "Untitled source");
  if (!source.url) return title;
  const link = document.createElement("a");
  link.href = source.url; // http or https: the server sends no other
  link.rel = "noopener noreferrer";
  link.append(title);
  return link;
}
