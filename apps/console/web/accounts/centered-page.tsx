import { Card, Center, Stack, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { Brand } from '../layout/brand.js'

/** A small page in the middle of the screen. */
export function CenteredPage({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Trestle`
  }, [title])
  return (
    <Center component="main" mih="100vh" p="md">
      <Card withBorder w="100%" maw={420} p="xl" shadow="sm">
        <Stack>
          <Brand />
          <Title order={1} size="h3">
            {title}
          </Title>
          {children}
        </Stack>
      </Card>
    </Center>
  )
}
