import { Stack } from '@mantine/core'
import type { Validator } from '@trestle/contracts/staking/validators'
import { useState } from 'react'
import type { Range } from './days.js'
import { Duties } from './duties-panel.js'
import { Earnings } from './earnings.js'
import { useCourse } from './use-course.js'

/** How it has been over a range of days: what it earned and had, and what it did for it. */
export function Course({ validator }: { validator: Validator }) {
  const [range, setRange] = useState<Range>('week')
  const query = useCourse(validator, range)
  return (
    <Stack gap="lg">
      <Earnings validator={validator} range={range} onRange={setRange} query={query} />
      {validator.activatedAt !== null && <Duties query={query} />}
    </Stack>
  )
}
