import { Checkbox, Group, Select, TextInput } from '@mantine/core'
import { usePlatformServices } from '../platform/use-health.js'
import { activityTexts as texts } from '../texts/activity.js'
import { ACTIVITY_KINDS, ACTIVITY_STATUSES, type ActivityFilter } from './activity-record.js'
import type { TimeRange } from './use-activity.js'

interface FiltersProps {
  range: TimeRange
  onRange: (range: TimeRange) => void
  filter: ActivityFilter
  onFilter: (filter: ActivityFilter) => void
}

/** The platform filters by time; the other filters apply to loaded records. */
export function ActivityFilters({ range, onRange, filter, onFilter }: FiltersProps) {
  return (
    <Group align="flex-end" gap="sm" role="search" aria-label={texts.filters}>
      <Moment label={texts.from} value={range.from} onChange={(from) => onRange({ ...range, from })} />
      <Moment label={texts.to} value={range.to} onChange={(to) => onRange({ ...range, to })} />
      <Select
        label={texts.area}
        placeholder={texts.anyArea}
        data={usePlatformServices().map(({ name }) => name)}
        value={filter.area}
        onChange={(area) => onFilter({ ...filter, area })}
        clearable
        clearButtonProps={{ 'aria-label': texts.anyArea }}
        w={160}
      />
      <Choice
        label={texts.kind}
        values={ACTIVITY_KINDS}
        labels={texts.kinds}
        value={filter.kind}
        onChange={(kind) => onFilter({ ...filter, kind })}
      />
      <Choice
        label={texts.status}
        values={ACTIVITY_STATUSES}
        labels={texts.statuses}
        value={filter.status}
        onChange={(status) => onFilter({ ...filter, status })}
      />
      <TextInput
        type="search"
        label={texts.what}
        placeholder={texts.whatHint}
        value={filter.what}
        onChange={(event) => onFilter({ ...filter, what: event.currentTarget.value })}
        w={190}
      />
      <Checkbox
        label={texts.ofThisList}
        checked={filter.own}
        onChange={(event) => onFilter({ ...filter, own: event.currentTarget.checked })}
        mb={8}
      />
    </Group>
  )
}

function Moment({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  return <TextInput type="datetime-local" label={label} value={value} onChange={(event) => onChange(event.currentTarget.value)} w={200} />
}

interface ChoiceProps<T extends string> {
  label: string
  values: readonly T[]
  labels: Readonly<Record<T, string>>
  value: T
  onChange: (value: T) => void
}

function Choice<T extends string>({ label, values, labels, value, onChange }: ChoiceProps<T>) {
  return (
    <Select
      label={label}
      data={values.map((each) => ({ value: each, label: labels[each] }))}
      value={value}
      onChange={(chosen) => onChange(values.find((each) => each === chosen) ?? value)}
      allowDeselect={false}
      w={150}
    />
  )
}
