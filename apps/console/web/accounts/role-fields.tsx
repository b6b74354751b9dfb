import { Checkbox, Stack } from '@mantine/core'
import { ROLES, type Role } from '@trestle/contracts/accounts/organizations'
import { accountsTexts } from '../texts/accounts.js'

const texts = accountsTexts.organization

interface RoleFieldsProps {
  value: readonly Role[]
  onChange: (roles: Role[]) => void
  /** Whether whoever chooses may make and unmake owners. */
  owns: boolean
}

export function RoleFields({ value, onChange, owns }: RoleFieldsProps) {
  return (
    <Checkbox.Group
      label={texts.roles}
      description={texts.rolesHint}
      value={[...value]}
      onChange={(chosen) => onChange(ROLES.filter((role) => chosen.includes(role)))}
      error={value.length === 0 && texts.noRole}
    >
      <Stack mt="xs" gap="xs">
        {ROLES.map((role) => (
          <Checkbox
            key={role}
            value={role}
            label={accountsTexts.roles[role].label}
            description={accountsTexts.roles[role].does}
            disabled={role === 'owner' && !owns}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}
