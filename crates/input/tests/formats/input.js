'use strict';
// A small server of notes.
const http = require('http');
const { readFile } = require('fs').promises;

const notes = new Map([['first', { text: 'Hello', tags: ['a', 'b'] }]]);
let served = 0;

class NotFound extends Error {
  constructor(name, ...rest) {
    super(`no note ${name}`, ...rest);
    this.status = 404;
  }

  static get code() { return 'E_NOT_FOUND'; }
}

async function render(name) {
  const note = notes.get(name);
  if (!note) {
    throw new NotFound(name);
  }
  const template = await readFile('note.html', 'utf8');
  return template.replace(/\{\{(\w+)\}\}/g, (_, key) => note[key] ?? '');
}

function* ids(start = 0) {
  for (let id = start; id < 10; id += 1) yield id;
}

const server = http.createServer(async (request, response) => {
  served++;
  try {
    const [, name] = request.url.split('/');
    response.end(await render(name));
  } catch (error) {
    response.statusCode = error instanceof NotFound ? error.status : 500;
    response.end(error.message);
  } finally {
    console.log(`${served}: ${request.method}`);
  }
});

switch (process.argv[2]) {
  case 'ids':
    console.log([...ids(3)].map((id) => id * 2));
    break;
  default:
    server.listen(8080, () => console.log('ready'));
}
