import { notOffered } from './offered.js';

/** Sessions on other machines are not covered. */
export function parseDirectConnectUrl(): never {
  throw refused('parseDirectConnectUrl');
}

/** Sessions on other machines are not covered. */
export class DirectConnectTransport {
  constructor() {
    throw refused('DirectConnectTransport');
  }
}

/** The error of sessions on other machines, which are not covered here. */
export class DirectConnectError extends Error {}

/** The file index for prompt completion is not covered. */
export class FileIndex {
  constructor() {
    throw refused('FileIndex');
  }
}

/** The command matcher for prompt completion is not covered. */
export class CommandMatcher {
  constructor() {
    throw refused('CommandMatcher');
  }
}

function refused(name: keyof typeof notOffered.exports): Error {
  return new Error(`${name} is not covered by coxswain/compat: ${notOffered.exports[name]}`);
}
