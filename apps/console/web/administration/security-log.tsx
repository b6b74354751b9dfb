import { Badge, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { type SecurityEvent, SecurityEventKind } from '@trestle/contracts/security-event'
import { type FormEvent, useState } from 'react'
import { type Column, DataTable } from '../parts/data-table.js'
import { Loaded } from '../parts/loaded.js'
import { Time } from '../parts/time.js'
import { platformClient } from '../platform/client.js'
import { usePaged } from '../platform/use-paged.js'
import { administrationTexts } from '../texts/administration.js'
import { actOf, actorOf, NO_SECURITY_FILTER, type SecurityLogFilter, securityLogQuery } from './security-log-filter.js'

const texts = administrationTexts.securityLog
const PAGE_SIZE = 100
const OUTCOMES = ['success', 'failure'] as const
const DAYS = ['1', '7', '30', '365'] as const

export function SecurityLogPanel() {
  const [filter, setFilter] = useState(NO_SECURITY_FILTER)
  const { query, more } = usePaged<SecurityEvent>(['administration', 'security-log', filter], PAGE_SIZE, () =>
    platformClient.accounts.securityLog.list.pages({ query: { limit: String(PAGE_SIZE), ...securityLogQuery(filter, Date.now()) } }),
  )
  return (
    <Stack>
      <Text size="sm">{texts.text}</Text>
      <Filters filter={filter} onFilter={setFilter} />
      <Loaded query={query} rows={8}>
        {(rows) => (
          <DataTable
            label={administrationTexts.sections.securityLog}
            rows={rows}
            columns={COLUMNS}
            keyOf={({ id }) => id}
            empty={texts.none}
            more={more}
            minWidth={980}
          />
        )}
      </Loaded>
    </Stack>
  )
}

interface FiltersProps {
  readonly filter: SecurityLogFilter
  readonly onFilter: (filter: SecurityLogFilter) => void
}

function Filters({ filter, onFilter }: FiltersProps) {
  const [who, setWho] = useState(filter.who)
  function submit(event: FormEvent) {
    event.preventDefault()
    onFilter({ ...filter, who })
  }
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="sm" role="search" aria-label={texts.filters}>
        <TextInput
          type="search"
          label={texts.who}
          placeholder={texts.whoHint}
          value={who}
          onChange={(event) => setWho(event.currentTarget.value)}
          w={280}
        />
        <Select
          label={texts.kind}
          placeholder={texts.anyValue}
          data={SecurityEventKind.options}
          value={filter.kind}
          onChange={(kind) => onFilter({ ...filter, who, kind })}
          clearable
          searchable
          w={220}
        />
        <Select
          label={texts.outcome}
          placeholder={texts.anyValue}
          data={OUTCOMES.map((value) => ({ value, label: texts.outcomes[value] }))}
          value={filter.outcome}
          onChange={(outcome) => onFilter({ ...filter, who, outcome })}
          clearable
          w={130}
        />
        <Select
          label={texts.period}
          data={DAYS.map((value) => ({ value, label: texts.periods[value] }))}
          value={filter.days}
          onChange={(days) => days && onFilter({ ...filter, who, days })}
          w={150}
        />
        <Button type="submit" variant="default">
          {texts.submit}
        </Button>
      </Group>
    </form>
  )
}

const COLUMNS: readonly Column<SecurityEvent>[] = [
  { name: 'time', header: texts.time, cell: ({ createdAt }) => <Time value={createdAt} />, width: '130px' },
  { name: 'kind', header: texts.kind, cell: ({ kind }) => kind, width: '170px' },
  { name: 'outcome', header: texts.outcome, cell: (event) => <Outcome event={event} />, width: '150px' },
  { name: 'who', header: texts.who, cell: (event) => <Clamped text={actorOf(event)} />, width: '1fr' },
  { name: 'from', header: texts.from, cell: ({ clientAddress }) => clientAddress, width: '130px' },
  { name: 'act', header: texts.act, cell: (event) => <Clamped text={actOf(event)} />, width: '2fr' },
]

function Outcome({ event: { outcome, code } }: { event: SecurityEvent }) {
  return (
    <Badge variant="light" color={outcome === 'success' ? 'teal' : 'red'} tt="none">
      {code ?? texts.outcomes[outcome]}
    </Badge>
  )
}

function Clamped({ text }: { text: string }) {
  return (
    <Text inherit lineClamp={1} title={text}>
      {text}
    </Text>
  )
}
