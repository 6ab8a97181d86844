/** The key of the answer to `initialize` under which a patched CLI names its patches: `[{ id, version, serves }]`. */
export const PATCHES_KEY = 'coxswain_patches';
