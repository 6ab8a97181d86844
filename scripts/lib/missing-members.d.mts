export declare function missingMembers(modules: {
  wanted: string;
  offered: string;
  names?: readonly string[];
}): string[];
