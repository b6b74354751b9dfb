import { Code, Drawer, Stack, Text } from '@mantine/core'
import type { FailedCall } from '@trestle/contracts/eth-rpc/failures'
import { Hash } from '../../parts/copy-button.js'
import { FactList } from '../../parts/fact-list.js'
import { exactTime } from '../../parts/time.js'
import { failureTexts } from '../../texts/failures.js'
import { KindTag } from './kind-tag.js'

const texts = failureTexts.details

interface DetailsProps {
  call: FailedCall | undefined
  opened: boolean
  onClose: () => void
}

/** Everything that is kept of a failed call. */
export function FailureDetails({ call, opened, onClose }: DetailsProps) {
  return (
    <Drawer opened={opened} onClose={onClose} title={texts.title} position="right" size="lg">
      {call && <FailureContent call={call} />}
    </Drawer>
  )
}

export function FailureContent({ call }: { call: FailedCall }) {
  const { method, code, kind, requestId, time, ms, request, error, upstream, attempts, cached, key } = call
  return (
    <Stack>
      <FactList
        facts={[
          [failureTexts.method, <Code key="method">{method}</Code>],
          [failureTexts.kind, <KindTag key="kind" kind={kind} />],
          [texts.time, exactTime(time)],
          [texts.took, texts.milliseconds(ms)],
          key && [texts.key, key.name],
          upstream !== undefined && [texts.upstream, upstream],
          attempts && [texts.attempts, attempts.map(({ upstream: node, outcome }) => texts.attempt(node, outcome)).join(', ')],
          cached && [texts.cached, texts.yes],
        ]}
      />
      <FactList columns={1} facts={[[texts.requestId, <Hash key="id" value={requestId} label={texts.requestId} />]]} />
      <Json title={texts.request} value={{ ...request, method }} />
      <Json title={texts.answer} value={{ code, ...error }} />
    </Stack>
  )
}

function Json({ title, value }: { title: string; value: unknown }) {
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <Code block tabIndex={0} role="region" aria-label={title} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        {JSON.stringify(value, null, 2)}
      </Code>
    </Stack>
  )
}
