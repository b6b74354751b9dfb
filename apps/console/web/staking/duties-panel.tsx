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

/** What it had to do, and did not. */
export function DutiesPanel({ query }: { query: HistoryQuery }) {
  return (
    <Panel title={texts.title}>
      <Loaded query={query} rows={4}>
        {(pieces) => <Done pieces={pieces} />}
      </Loaded>
      <Text size="xs" c="dimmed">
        {texts.hint}
      </Text>
    </Panel>
  )
}

function Done({ pieces }: { pieces: readonly HistoryPeriod[] }) {
  const days = pieces.flatMap((piece) => piece.days)
  return (
    <>
      <FactList columns={3} facts={DUTIES.map((duty) => [texts.missed[duty], said(countDuties(days, duty))])} />
      <Strip
        title={texts.strip}
        labels={pieces.map(({ label }) => label)}
        states={texts.states}
        rows={DUTIES.map((duty) => ({
          name: texts.names[duty],
          cells: pieces.map((piece) => {
            const counted = countDuties(piece.days, duty)
            return { state: dutyState(counted), text: said(counted) }
          }),
        }))}
      />
    </>
  )
}

function said(counted: DutyCount | undefined): string {
  if (counted === undefined) return texts.unknown
  return counted.due === 0 ? texts.nothing : texts.of(formatCount(counted.missed), formatCount(counted.due))
}
