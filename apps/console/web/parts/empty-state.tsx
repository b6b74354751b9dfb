import { Card, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** Where nothing is yet: what would be here, and how to begin. */
export function EmptyState({ title, text, children }: { title: string; text: ReactNode; children?: ReactNode }) {
  return (
    <Card withBorder p="xl">
      <Stack align="center" gap="sm">
        <Title order={2} size="h4">
          {title}
        </Title>
        <Text c="dimmed" ta="center" maw={520}>
          {text}
        </Text>
        {children}
      </Stack>
    </Card>
  )
}
