import type { PatchRecord } from './patch-record.mjs';

export declare function patchesTable(record: PatchRecord, sources: string): string;
