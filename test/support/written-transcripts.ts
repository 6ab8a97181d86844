import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { projectKeyOf } from '../../src/host/transcripts/project-folders.js';

/** A machine on which a CLI writes its transcripts; it is removed after the test. */
export class WrittenTranscripts {
  readonly cwd: string;
  readonly configDir: string;

  constructor() {
    const folder = mkdtempSync(join(tmpdir(), 'machine-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    this.cwd = join(folder, 'work');
    this.configDir = join(folder, 'config');
    mkdirSync(this.cwd);
  }

  /** The path of a file in the folder of the project. */
  path(name: string): string {
    return join(this.configDir, 'projects', projectKeyOf(this.cwd), name);
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), text);
  }

  append(name: string, text: string): void {
    appendFileSync(this.path(name), text);
  }

  read(name: string): string {
    return readFileSync(this.path(name), 'utf8');
  }
}

/** Lines of a transcript. */
export function transcriptLines(first: number, count: number): string {
  return Array.from({ length: count }, (_, index) => {
    const uuid = `00000000-0000-4000-8000-${String(first + index).padStart(12, '0')}`;
    const message = { role: 'user', content: `line ${first + index}` };
    return `${JSON.stringify({ type: 'user', uuid, message })}\n`;
  }).join('');
}
