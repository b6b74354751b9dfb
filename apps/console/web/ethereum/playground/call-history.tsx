import { Button, Stack, VisuallyHidden } from '@mantine/core'
import { type Column, DataTable } from '../../parts/data-table.js'
import { SectionTitle } from '../../parts/panel.js'
import { ethereumTexts } from '../../texts/ethereum.js'
import { callFailure, type PlaygroundCall } from './rpc.client.js'

const texts = ethereumTexts.playground
const clock = new Intl.DateTimeFormat('en', { timeStyle: 'medium' })

/** Calls made since the page was opened. */
export function CallHistory({ calls, onRecall }: { calls: readonly PlaygroundCall[]; onRecall: (call: PlaygroundCall) => void }) {
  const columns: readonly Column<PlaygroundCall>[] = [
    { name: 'time', header: texts.time, width: '120px', cell: ({ at }) => clock.format(at) },
    {
      name: 'method',
      header: texts.method,
      width: '2fr',
      cell: ({ method, params }) => (
        <span className="mono" title={JSON.stringify(params)}>
          {method}
        </span>
      ),
    },
    { name: 'outcome', header: texts.outcome, cell: (call) => (callFailure(call) ? texts.failed : texts.succeeded) },
    { name: 'took', header: texts.tookLabel, align: 'right', cell: ({ milliseconds }) => texts.milliseconds(milliseconds) },
    {
      name: 'recall',
      header: <VisuallyHidden>{texts.recall}</VisuallyHidden>,
      align: 'right',
      cell: (call) => (
        <Button size="compact-xs" variant="subtle" onClick={() => onRecall(call)} aria-label={texts.recallOf(call.method)}>
          {texts.recall}
        </Button>
      ),
    },
  ]
  return (
    <Stack component="section" gap="xs">
      <SectionTitle>{texts.history}</SectionTitle>
      <DataTable label={texts.history} rows={calls} columns={columns} keyOf={({ key }) => key} />
    </Stack>
  )
}
