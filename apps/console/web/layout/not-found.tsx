import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import { PageLayout } from '../parts/page-layout.js'
import { layoutTexts } from '../texts/layout.js'

export function NotFound() {
  return (
    <PageLayout title={layoutTexts.notFound.title}>
      <Text>{layoutTexts.notFound.text}</Text>
      <Anchor component={Link} to="/app">
        {layoutTexts.notFound.home}
      </Anchor>
    </PageLayout>
  )
}
