export declare const FIRST_NATIVE: string;
export declare function defaultCache(): string;
export declare function publishedVersions(): Promise<string[]>;
export declare function installCli(cache: string, version: string): Promise<string>;
export declare function removeCli(cache: string, version: string): Promise<void>;
