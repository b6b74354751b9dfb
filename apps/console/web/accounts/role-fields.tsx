import { Checkbox, Stack } from '@mantine/core'
import { ROLES, type Role } from '@trestle/contracts/accounts/organizations'
import { accountsTexts } from '../texts/accounts.js'
import { rolesAmong } from './roles-form.js'

const texts = accountsTexts.organization

interface RoleFieldsProps {
  value: readonly Role[]
  onChange: (roles: Role[]) => void
  /** Only an owner may add or remove owners. */
  owns: boolean
}

export function RoleFields({ value, onChange, owns }: RoleFieldsProps) {
  return (
    <Checkbox.Group
      label={texts.roles}
      description={texts.rolesHint}
      value={[...value]}
      onChange={(chosen) => onChange(rolesAmong(chosen))}
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
