import { Checkbox, Stack } from '@mantine/core'
import { ROLES } from '@trestle/contracts/accounts/organizations'
import { useState } from 'react'
import { accountsTexts, roleText } from '../texts/accounts.js'
import { ownRolesOf, rolesAmong } from './roles-form.js'

const texts = accountsTexts.organization

interface RoleFieldsProps {
  value: readonly string[]
  onChange: (roles: string[]) => void
  /** Only an owner may add or remove owners. */
  owns: boolean
}

export function RoleFields({ value, onChange, owns }: RoleFieldsProps) {
  const [own] = useState(() => ownRolesOf(value))
  return (
    <Checkbox.Group
      label={texts.roles}
      description={texts.rolesHint}
      value={[...value]}
      onChange={(chosen) => onChange(rolesAmong(chosen, own))}
      error={value.length === 0 && texts.noRole}
    >
      <Stack mt="xs" gap="xs">
        {[...ROLES, ...own].map((role) => (
          <Checkbox
            key={role}
            value={role}
            label={roleText(role).label}
            description={roleText(role).does}
            disabled={role === 'owner' && !owns}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}
