import { Card, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { SectionTitle } from './panel.js'

/** An empty list: what will be here, and how to begin. */
export function EmptyState({ title, text, children }: { title: string; text: ReactNode; children?: ReactNode }) {
  return (
    <Card withBorder p="xl">
      <Stack align="center" gap="sm">
        <SectionTitle>{title}</SectionTitle>
        <Text c="dimmed" ta="center" maw={520}>
          {text}
        </Text>
        {children}
      </Stack>
    </Card>
  )
}
