import { Badge, Group, Text } from '@mantine/core'
import { roleText } from '../texts/accounts.js'

export function RoleBadges({ roles, label }: { roles: readonly string[]; label?: string }) {
  return (
    <Group gap={4}>
      {label && <Text inherit>{label}</Text>}
      {roles.map((role) => (
        <Badge key={role} variant="default" tt="none" fw={500} title={roleText(role).does}>
          {roleText(role).label}
        </Badge>
      ))}
    </Group>
  )
}
