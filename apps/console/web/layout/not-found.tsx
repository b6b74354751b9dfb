import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import { Page } from '../parts/page.js'
import { layout } from '../texts/layout.js'

export function NotFound() {
  return (
    <Page title={layout.notFound.title}>
      <Text>{layout.notFound.text}</Text>
      <Anchor component={Link} to="/app">
        {layout.notFound.home}
      </Anchor>
    </Page>
  )
}
