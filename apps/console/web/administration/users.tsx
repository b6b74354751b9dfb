import { Anchor, Button, Group, Stack, TextInput } from '@mantine/core'
import type { ManagedUser } from '@trestle/contracts/accounts/administration'
import { type FormEvent, useReducer } from 'react'
import { Link, useSearchParams } from 'react-router'
import { type Column, DataTable } from '../parts/data-table.js'
import { EmptyState } from '../parts/empty-state.js'
import { changeField, textField } from '../parts/form.js'
import { Loaded } from '../parts/loaded.js'
import { Time } from '../parts/time.js'
import { platformClient } from '../platform/client.js'
import { usePaged } from '../platform/use-paged.js'
import { administrationTexts } from '../texts/administration.js'
import { type UserSearchForm, userSearch, userSearchForm } from './user-search-form.js'
import { UserState } from './user-state.js'

const texts = administrationTexts.users
const PAGE_SIZE = 50

export function UsersPanel() {
  const [search] = useSearchParams()
  const asked = userSearchForm(search)
  const { query, more } = usePaged<ManagedUser>(['administration', 'users', asked.email], PAGE_SIZE, () =>
    platformClient.accounts.administration.users.pages({ query: { limit: String(PAGE_SIZE), ...userSearch(asked) } }),
  )
  return (
    <Stack>
      <UserSearch key={asked.email} asked={asked} />
      <Loaded query={query} rows={8}>
        {(rows) => (
          <DataTable
            label={administrationTexts.sections.users}
            rows={rows}
            columns={COLUMNS}
            keyOf={({ id }) => id}
            more={more}
            minWidth={720}
            empty={<EmptyState title={texts.none} text={texts.noneText} />}
          />
        )}
      </Loaded>
    </Stack>
  )
}

function UserSearch({ asked }: { asked: UserSearchForm }) {
  const [form, dispatch] = useReducer(changeField<UserSearchForm>, asked)
  const [, setSearch] = useSearchParams()
  function submit(event: FormEvent) {
    event.preventDefault()
    setSearch(userSearch(form))
  }
  return (
    <form onSubmit={submit}>
      <Group align="flex-end">
        <TextInput {...textField(form, dispatch, 'email')} type="search" label={texts.search} placeholder={texts.searchHint} w={280} />
        <Button type="submit" variant="default">
          {texts.submit}
        </Button>
        {asked.email && (
          <Button variant="subtle" onClick={() => setSearch({})}>
            {texts.clear}
          </Button>
        )}
      </Group>
    </form>
  )
}

const COLUMNS: readonly Column<ManagedUser>[] = [
  { name: 'email', header: texts.email, cell: (user) => <Opening user={user} />, width: '2fr' },
  { name: 'name', header: texts.name, cell: ({ displayName }) => displayName, width: '2fr' },
  { name: 'kind', header: texts.entityType, cell: ({ entityType }) => texts.entityTypes[entityType] },
  { name: 'since', header: texts.since, cell: ({ createdAt }) => <Time value={createdAt} /> },
  { name: 'state', header: texts.state, cell: (user) => <UserState user={user} /> },
]

function Opening({ user: { id, email } }: { user: ManagedUser }) {
  return (
    <Anchor component={Link} to={`/app/administration/users/${id}`} inherit>
      {email}
    </Anchor>
  )
}
