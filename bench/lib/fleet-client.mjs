// A client of a gateway that counts events, and parses only what it must.
import { randomUUID } from 'node:crypto';
import { WebSocket } from 'ws';

export class FleetClient {
  events = 0;
  #socket;
  #waiting = new Map();
  #attached = new Set();
  #told = 0;
  #resultsLeft = 0;
  #wake = () => {};

  constructor(socket) {
    this.#socket = socket;
    socket.on('message', (data) => this.#take(String(data)));
    socket.on('close', (code, reason) => {
      for (const { reject } of this.#waiting.values()) reject(new Error(`closed: ${code} ${reason}`));
    });
  }

  static async connect({ origin, token }) {
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/api/socket`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const client = new FleetClient(socket);
    await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
    client.#say({ type: 'hello', client: randomUUID(), name: 'bench' });
    return client;
  }

  /** Events from a number on; -1 for those from now on. */
  attach(session, after = 0) {
    this.#attached.add(session);
    this.#say({ type: 'attach', session, after });
  }

  async attachedTo(count) {
    while (this.#told < count) await this.#change();
  }

  async ask(name, params, session) {
    const id = randomUUID();
    const done = await new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#say({ type: 'command', id, name, session, params });
    });
    if (!done.ok) throw new Error(`${name}: ${done.error.message}`);
    return done.value;
  }

  /** Resolves when a turn of each attached conversation has ended from now on. */
  async results() {
    this.#resultsLeft = this.#attached.size;
    while (this.#resultsLeft > 0) await this.#change();
  }

  /** Reads nothing from now on. */
  pause() {
    this.#socket.pause();
  }

  close() {
    this.#socket.terminate();
  }

  #say(message) {
    this.#socket.send(JSON.stringify(message));
  }

  #change() {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #take(text) {
    if (text.startsWith('{"type":"event"')) {
      this.events += 1;
      if (!text.includes('"type":"result"')) return;
      this.#resultsLeft -= 1;
      if (this.#resultsLeft === 0) this.#wake();
    } else if (text.startsWith('{"type":"attached"')) {
      this.#told += 1;
      this.#wake();
    } else if (text.startsWith('{"type":"done"')) {
      const done = JSON.parse(text);
      this.#waiting.get(done.id)?.resolve(done);
      this.#waiting.delete(done.id);
    }
  }
}
