import { Badge, Group, Text } from '@mantine/core'
import type { Role } from '@trestle/contracts/accounts/organizations'
import { accountsTexts } from '../texts/accounts.js'

export function RoleBadges({ roles, label }: { roles: readonly Role[]; label?: string }) {
  return (
    <Group gap={4}>
      {label && <Text inherit>{label}</Text>}
      {roles.map((role) => (
        <Badge key={role} variant="default" tt="none" fw={500} title={accountsTexts.roles[role].does}>
          {accountsTexts.roles[role].label}
        </Badge>
      ))}
    </Group>
  )
}
