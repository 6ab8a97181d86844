import { notOffered } from './offered.js';

/** Sessions on other machines are not offered. */
export function parseDirectConnectUrl(): never {
  throw refused('parseDirectConnectUrl');
}

/** Sessions on other machines are not offered. */
export class DirectConnectTransport {
  constructor() {
    throw refused('DirectConnectTransport');
  }
}

/** The error of sessions on other machines, of which there are none here. */
export class DirectConnectError extends Error {}

/** The index of files behind a prompt's completion is not offered. */
export class FileIndex {
  constructor() {
    throw refused('FileIndex');
  }
}

/** The matcher of commands behind a prompt's completion is not offered. */
export class CommandMatcher {
  constructor() {
    throw refused('CommandMatcher');
  }
}

function refused(name: keyof typeof notOffered.exports): Error {
  return new Error(`${name} is not covered by coxswain/compat: ${notOffered.exports[name]}`);
}
