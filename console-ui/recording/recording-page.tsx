import { useMemo } from 'react';
import type { PageHead } from '../../src/wire/trace/page/page-lines.js';
import { WireLog } from '../shared/model/wire-log.js';
import { RecordingView } from '../shared/recording-view.js';
import { ServedRecording } from './served-recording.js';
import { readEmbedded } from './source.js';

/** Shows the recording that is embedded in the page, or served to it. */
export function RecordingPage({ head }: { readonly head: PageHead }) {
  return head.served === true ? <ServedRecording head={head} /> : <EmbeddedRecording head={head} />;
}

function EmbeddedRecording({ head }: { readonly head: PageHead }) {
  const log = useMemo(() => {
    const filled = new WireLog({ limit: Number.POSITIVE_INFINITY, findMistakes: false });
    readEmbedded(filled);
    return filled;
  }, []);
  return <RecordingView log={log} title={head.name} />;
}
