export {
  encodeCancel,
  encodeObject,
  encodeRefusal,
  encodeRequest,
  encodeSuccess,
  formatRequestId,
} from './encode.js';
export type {
  BrokenFrame,
  CancelFrame,
  Frame,
  KeepAliveFrame,
  MessageFrame,
  NoiseFrame,
  RefusalFrame,
  RequestBody,
  RequestFrame,
  SuccessFrame,
  WireObject,
} from './frames.js';
export { classify, decodeLine, isObject, parseAnswer } from './frames.js';
export type { LineSplitterOptions } from './framing.js';
export { DEFAULT_MAX_LINE_LENGTH, LineSplitter } from './framing.js';
