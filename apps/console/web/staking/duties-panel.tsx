import { Text } from '@mantine/core'
import { formatCount } from '../parts/amount.js'
import { Strip } from '../parts/chart/strip.js'
import { FactList } from '../parts/fact-list.js'
import { Loaded } from '../parts/loaded.js'
import { Panel } from '../parts/panel.js'
import { stakingTexts } from '../texts/staking.js'
import { countDuties, DUTIES, type DutyCount, dutyState } from './duties.js'
import type { HistoryPeriod, HistoryQuery } from './use-validator-history.js'

const texts = stakingTexts.duties

/** Duties, and those it missed. */
export function DutiesPanel({ query }: { query: HistoryQuery }) {
  return (
    <Panel title={texts.title}>
      <Loaded query={query} rows={4}>
        {(periods) => <Duties periods={periods} />}
      </Loaded>
      <Text size="xs" c="dimmed">
        {texts.hint}
      </Text>
    </Panel>
  )
}

function Duties({ periods }: { periods: readonly HistoryPeriod[] }) {
  const days = periods.flatMap((period) => period.days)
  return (
    <>
      <FactList columns={3} facts={DUTIES.map((duty) => [texts.missed[duty], missedText(countDuties(days, duty))])} />
      <Strip
        title={texts.strip}
        labels={periods.map(({ label }) => label)}
        states={texts.states}
        rows={DUTIES.map((duty) => ({
          name: texts.names[duty],
          cells: periods.map((period) => {
            const counted = countDuties(period.days, duty)
            return { state: dutyState(counted), text: missedText(counted) }
          }),
        }))}
      />
    </>
  )
}

function missedText(counted: DutyCount | undefined): string {
  if (counted === undefined) return texts.unknown
  return counted.due === 0 ? texts.nothing : texts.of(formatCount(counted.missed), formatCount(counted.due))
}
