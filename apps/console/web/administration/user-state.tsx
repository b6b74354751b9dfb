import { Badge } from '@mantine/core'
import type { ManagedUser } from '@trestle/contracts/accounts/administration'
import { administrationTexts } from '../texts/administration.js'

const COLOR = { active: 'teal', unverified: 'gray', disabled: 'red' }

export function UserState({ user: { verifiedAt, disabledAt } }: { user: ManagedUser }) {
  const state = disabledAt ? 'disabled' : verifiedAt ? 'active' : 'unverified'
  return (
    <Badge variant="light" color={COLOR[state]} tt="none">
      {administrationTexts.users.states[state]}
    </Badge>
  )
}
