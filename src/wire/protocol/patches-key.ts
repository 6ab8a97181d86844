/** The key in the answer to `initialize` under which a patched CLI lists its patches: `[{ id, version, serves }]`. */
export const PATCHES_KEY = 'coxswain_patches';
