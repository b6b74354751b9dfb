import { Card, Group, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** One part of the overview. */
export function Panel({
  title,
  aside,
  minHeight,
  children,
}: {
  title: string
  aside?: ReactNode
  minHeight?: number
  children: ReactNode
}) {
  return (
    <Card withBorder component="section" aria-label={title} mih={minHeight}>
      <Stack>
        <Group gap="md" align="baseline">
          <Title order={2} size="h4">
            {title}
          </Title>
          {aside}
        </Group>
        {children}
      </Stack>
    </Card>
  )
}
