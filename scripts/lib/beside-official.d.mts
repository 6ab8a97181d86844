import type ts from 'typescript';
export declare const OFFICIAL: string;
export declare const OURS: string;
export declare const ENTRIES: readonly (readonly [wanted: string, offered: string])[];
export declare function programBesideOfficial(
  text: string,
  installs?: readonly string[],
): { program: ts.Program; source: ts.SourceFile | undefined };
