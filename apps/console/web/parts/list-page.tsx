import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'react-router'
import { EmptyState } from './empty-state.js'
import { Loaded } from './loaded.js'
import { PageLayout } from './page-layout.js'

interface ListPageProps<T> {
  texts: Readonly<Record<'title' | 'description' | 'create' | 'empty' | 'emptyText', string>>
  query: ComponentProps<typeof Loaded<readonly T[]>>['query']
  /** The page that creates one. */
  createPath: string
  actions?: ReactNode
  /** Above the list, also while it is empty. */
  header?: ReactNode
  children: (rows: readonly T[]) => ReactNode
}

/** What the user has of one kind, or an invitation to create the first. */
export function ListPage<T>({ texts, query, createPath, actions, header, children }: ListPageProps<T>) {
  const create = (
    <Button component={Link} to={createPath} leftSection={<IconPlus size={16} aria-hidden />}>
      {texts.create}
    </Button>
  )
  return (
    <PageLayout
      title={texts.title}
      description={texts.description}
      actions={
        <>
          {actions}
          {query.data?.length !== 0 && create}
        </>
      }
    >
      {header}
      <Loaded query={query}>
        {(rows) =>
          rows.length > 0 ? (
            children(rows)
          ) : (
            <EmptyState title={texts.empty} text={texts.emptyText}>
              {create}
            </EmptyState>
          )
        }
      </Loaded>
    </PageLayout>
  )
}
