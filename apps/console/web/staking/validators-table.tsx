import { Anchor, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { VALIDATOR_STATUSES, type Validator, ValidatorStatus } from '@trestle/contracts/staking/validators'
import { Link, useSearchParams } from 'react-router'
import { formatCoins, formatCount } from '../parts/amount.js'
import { type Column, DataTable } from '../parts/data-table.js'
import { DownloadButton } from '../parts/download-button.js'
import { Time } from '../parts/time.js'
import { stakingTexts } from '../texts/staking.js'
import { formatPercent } from './money.js'
import { StatusBadge } from './status-badge.js'
import { readReport, validatorPath } from './use-staking.js'
import { aprsOf, filterValidators } from './validator-list.js'

const { list } = stakingTexts

/** The validators, with search and filter. The address of the page keeps both. */
export function ValidatorsTable({ validators }: { validators: readonly Validator[] }) {
  const [search, setSearch] = useSearchParams()
  const { data: aprs } = useQuery({
    queryKey: ['staking', 'aprs'],
    queryFn: async () => aprsOf(await readReport()),
    refetchInterval: 60_000,
  })
  const text = search.get('find') ?? ''
  const status = ValidatorStatus.safeParse(search.get('status')).data
  const rows = filterValidators(validators, text, status)
  function show(changes: Record<string, string>) {
    const kept = Object.entries({ ...Object.fromEntries(search), ...changes }).filter(([, value]) => value !== '')
    setSearch(Object.fromEntries(kept), { replace: true })
  }
  return (
    <Stack gap="sm">
      <Group align="flex-end" gap="sm">
        <TextInput
          label={list.search}
          placeholder={list.searchHint}
          value={text}
          onChange={(event) => show({ find: event.currentTarget.value })}
          flex="1 1 220px"
        />
        <Select
          label={list.status}
          data={[
            { value: '', label: list.anyStatus },
            ...VALIDATOR_STATUSES.map((value) => ({ value, label: stakingTexts.statuses[value] })),
          ]}
          value={status ?? ''}
          onChange={(value) => show({ status: value ?? '' })}
          allowDeselect={false}
          w={160}
        />
        <DownloadButton fileName="validators.csv" type="text/csv" text={readReport}>
          {list.csv}
        </DownloadButton>
      </Group>
      <Text size="sm" c="dimmed" aria-live="polite">
        {list.shown(formatCount(rows.length), formatCount(validators.length))}
      </Text>
      <DataTable label={list.label} rows={rows} columns={columnsWith(aprs)} keyOf={({ id }) => id} empty={list.noMatch} minWidth={720} />
    </Stack>
  )
}

function columnsWith(aprs: ReadonlyMap<string, number> | undefined): Column<Validator>[] {
  const { columns } = list
  return [
    { name: 'pubkey', header: columns.pubkey, width: '2fr', cell: (row) => <KeyLink validator={row} /> },
    { name: 'status', header: columns.status, cell: ({ status }) => <StatusBadge status={status} /> },
    { name: 'balance', header: columns.balance, align: 'right', cell: ({ balance }) => formatCoins(balance, 18, 6) },
    { name: 'apr', header: columns.apr, align: 'right', cell: ({ pubkey }) => rateOf(aprs?.get(pubkey)) },
    { name: 'region', header: columns.region, width: '80px', cell: ({ region }) => region },
    { name: 'created', header: columns.created, cell: ({ startedAt }) => <Time value={startedAt} /> },
  ]
}

function KeyLink({ validator }: { validator: Validator }) {
  const { pubkey } = validator
  return (
    <Anchor component={Link} to={validatorPath(validator)} className="mono" title={`0x${pubkey}`}>
      {`0x${pubkey.slice(0, 8)}…${pubkey.slice(-6)}`}
    </Anchor>
  )
}

function rateOf(apr: number | undefined): string {
  return apr === undefined ? '–' : formatPercent(apr)
}
