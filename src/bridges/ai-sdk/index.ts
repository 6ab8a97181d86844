export { CoxswainLanguageModel, type CoxswainModelOptions } from './language-model.js';
export { type CoxswainProvider, type CoxswainProviderOptions, coxswain, createCoxswain } from './provider.js';
