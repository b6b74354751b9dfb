import { Checkbox, Stack } from '@mantine/core'
import type { Organization } from '@trestle/contracts/accounts/organizations'
import { accountsTexts, roleText } from '../texts/accounts.js'
import { mayGiveRole } from './roles.js'
import { rolesAmong } from './roles-form.js'
import { useRoles } from './use-roles.js'

const texts = accountsTexts.organization

interface RoleFieldsProps {
  own: Organization
  value: readonly string[]
  onChange: (roles: string[]) => void
  /** Owners are persons. */
  isPerson?: boolean
}

/** Every role of the organization; nobody gives one that may do more than they. */
export function RoleFields({ own, value, onChange, isPerson = true }: RoleFieldsProps) {
  const roles = useRoles(own.id).filter(({ name }) => isPerson || name !== 'owner')
  const custom = roles.flatMap((role) => (role.custom ? [role.name] : []))
  return (
    <Checkbox.Group
      label={texts.roles}
      description={texts.rolesHint}
      value={[...value]}
      onChange={(chosen) => onChange(rolesAmong(chosen, custom))}
      error={value.length === 0 && texts.noRole}
    >
      <Stack mt="xs" gap="xs">
        {roles.map((role) => (
          <Checkbox
            key={role.name}
            value={role.name}
            label={roleText(role.name).label}
            description={roleText(role.name).does}
            disabled={!mayGiveRole(own, role)}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}
