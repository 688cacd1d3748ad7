import type pg from 'pg';

/**
 * From now on records which tables have a row inserted, updated or deleted, by triggers of the test's database. The
 * returned function names the tables of committed changes since it was last called, sorted. Reading every table before
 * and after each request took longer than the requests.
 */
export async function watchWrites(pool: pg.Pool): Promise<() => Promise<string[]>> {
  await pool.query(`
    create schema watched;
    create table watched.write (name text not null);
    create function watched.note() returns trigger language plpgsql security definer as $$
    begin
      insert into watched.write values (tg_table_name);
      return null;
    end $$;
    do $$
    declare one text;
    begin
      for one in select table_name from information_schema.tables
        where table_schema = 'public' and table_type = 'BASE TABLE'
      loop
        execute format('create trigger watched after insert or update or delete on %I
          for each row execute function watched.note()', one);
      end loop;
    end $$`);
  return async () => {
    const { rows } = await pool.query<{ name: string }>(
      'with written as (delete from watched.write returning name) select distinct name from written order by name',
    );
    return rows.map(({ name }) => name);
  };
}
