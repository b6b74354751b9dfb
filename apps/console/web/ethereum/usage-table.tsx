import { Stack } from '@mantine/core'
import type { MethodUsage } from '@trestle/contracts/eth-rpc/usage'
import { formatBytes, formatCount } from '../parts/amount.js'
import { type Column, DataTable } from '../parts/data-table.js'
import { SectionTitle } from '../parts/panel.js'
import { latencyPercentile, type MethodTotals, percentOf, usageByMethod } from '../parts/usage.js'
import { ethereumTexts } from '../texts/ethereum.js'

const texts = ethereumTexts.usage

const COLUMNS: readonly Column<MethodTotals>[] = [
  { name: 'method', header: texts.method, width: '2fr', cell: ({ method }) => <span className="mono">{method}</span> },
  { name: 'calls', header: texts.calls, align: 'right', cell: ({ calls }) => formatCount(calls) },
  { name: 'errors', header: texts.errors, align: 'right', cell: ({ errors }) => formatCount(errors) },
  { name: 'computeUnits', header: texts.computeUnits, align: 'right', cell: ({ computeUnits }) => formatCount(computeUnits) },
  {
    name: 'cacheHits',
    header: texts.cacheHits,
    align: 'right',
    cell: ({ cacheHits, calls }) => texts.percent(percentOf(cacheHits, calls)),
  },
  { name: 'p50', header: texts.p50, align: 'right', cell: (totals) => texts.time(latencyPercentile(totals, 50)) },
  { name: 'p95', header: texts.p95, align: 'right', cell: (totals) => texts.time(latencyPercentile(totals, 95)) },
  { name: 'bytesOut', header: texts.bytesOut, align: 'right', cell: ({ bytesOut }) => formatBytes(bytesOut) },
]

export function MethodTable({ usage }: { usage: readonly MethodUsage[] }) {
  return (
    <Stack component="section" gap="xs">
      <SectionTitle>{texts.byMethod}</SectionTitle>
      <DataTable label={texts.byMethod} rows={usageByMethod(usage)} columns={COLUMNS} keyOf={({ method }) => method} minWidth={780} />
    </Stack>
  )
}
