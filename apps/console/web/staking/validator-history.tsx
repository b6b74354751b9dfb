import { Stack } from '@mantine/core'
import type { Validator } from '@trestle/contracts/staking/validators'
import { useState } from 'react'
import type { ChartRange } from '../parts/days.js'
import { DutiesPanel } from './duties-panel.js'
import { EarningsPanel } from './earnings-panel.js'
import { useValidatorHistory } from './use-validator-history.js'

/** How it has been over a range of days: what it earned and had, and what it did for it. */
export function ValidatorHistory({ validator }: { validator: Validator }) {
  const [range, setRange] = useState<ChartRange>('week')
  const query = useValidatorHistory(validator, range)
  return (
    <Stack gap="lg">
      <EarningsPanel validator={validator} range={range} onRange={setRange} query={query} />
      {validator.activatedAt !== null && <DutiesPanel query={query} />}
    </Stack>
  )
}
