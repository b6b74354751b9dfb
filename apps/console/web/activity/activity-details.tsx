import { Code, Drawer, Stack, Text } from '@mantine/core'
import { formatBytes } from '../parts/amount.js'
import { CopyButton, Hash } from '../parts/copy-button.js'
import { FactList } from '../parts/fact-list.js'
import { exactTime } from '../parts/time.js'
import { activityTexts as texts } from '../texts/activity.js'
import { authorText, type ListedActivity, recordedMethod, recordedMs, recordedRoute } from './activity-record.js'
import { OutcomeTag } from './activity-table.js'

interface DetailProps {
  record: ListedActivity | undefined
  opened: boolean
  onClose: () => void
}

/** Every detail of one call. */
export function ActivityDetails({ record, opened, onClose }: DetailProps) {
  return (
    <Drawer opened={opened} onClose={onClose} title={texts.detailTitle} position="right" size="lg">
      {record && <Content record={record} />}
    </Drawer>
  )
}

function Content({ record }: { record: ListedActivity }) {
  return (
    <Stack>
      <FactList
        facts={[
          [texts.call, <Code key="call">{`${recordedMethod(record)} ${recordedRoute(record)}`}</Code>],
          record.by && [texts.who, authorText(record)],
          [texts.fields.service, record.service],
          [texts.when, exactTime(record.createdAt)],
          [texts.outcome, <OutcomeTag key="outcome" record={record} />],
          [texts.took, texts.milliseconds(recordedMs(record))],
          [texts.size, formatBytes(record.output.bytesOut)],
        ]}
      />
      <FactList columns={1} facts={[[texts.fields.id, <Hash key="id" value={record.id} label={texts.fields.id} />]]} />
      <Json title={texts.fields.input} value={record.input} />
      <Json title={texts.fields.serviceData} value={record.serviceData} />
      <Text size="sm" component="div">
        {texts.record} <CopyButton value={JSON.stringify(record, null, 2)} label={texts.copyRecord} />
      </Text>
    </Stack>
  )
}

function Json({ title, value }: { title: string; value: unknown }) {
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <Code block tabIndex={0} role="region" aria-label={title}>
        {JSON.stringify(value, null, 2)}
      </Code>
    </Stack>
  )
}
