export default function Home() {
  return <h1>Lale</h1>;
}
