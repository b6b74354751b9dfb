import { Badge } from '@mantine/core'
import type { ValidatorStatus } from '@trestle/contracts/staking/validators'
import { stakingTexts } from '../texts/staking.js'

const COLORS: Readonly<Record<ValidatorStatus, string>> = {
  pending: 'blue',
  active: 'teal',
  exiting: 'orange',
  exited: 'gray',
  slashed: 'red',
  withdrawn: 'gray',
  unknown: 'yellow',
}

export function StatusBadge({ status }: { status: ValidatorStatus }) {
  return (
    <Badge color={COLORS[status]} variant="outline" styles={{ label: { color: 'var(--mantine-color-text)' } }}>
      {stakingTexts.statuses[status]}
    </Badge>
  )
}
